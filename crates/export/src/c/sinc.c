// The n-th derivative of sin(x)/x: recursion upwards where x is large, downwards where it is small.
double dsinc(double order, double x)
{
    int n = (int)order;
    const double sines[4] = {sin(x), cos(x), -sin(x), -cos(x)};
    if (fabs(x) > n) {
        double value = sines[0]/x;
        for (int k = 1; k <= n; k++)
            value = (sines[k % 4] - k*value)/x;
        return value;
    }
    int top = n;
    double weight = 1.0, value = 0.0;
    while (weight > 1e-20*fmin(fabs(x), 1.0))
        weight *= fabs(x)/++top;
    for (int k = top; k > n; k--)
        value = (sines[k % 4] - x*value)/k;
    return value;
}

double sinc(double x)
{
    return dsinc(0.0, x);
}
