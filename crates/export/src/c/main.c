int main(void)
{
    const Parameters parameters = default_parameters(), *p = &parameters;
    double y[DIMENSION], h = (T_END - T_START)/1000.0, t = T_START;
    start(y);
    for (size_t i = 0; i < sizeof COLUMNS/sizeof *COLUMNS; i++)
        printf("%s%s", i > 0 ? "," : "", COLUMNS[i]);
    putchar('\n');
    for (long row = 0;; row++) {
        print_row(t, y, p);
        if (t >= T_END)
            return 0;
        // rows stand at multiples of the distance, and at the end
        double next = fmin(T_START + (double)(row + 1)*EVERY, T_END);
        if (T_END - next < 1e-9*EVERY)
            next = T_END;
        if (integrate(t, next, &h, y, p)@project@) {
            fprintf(stderr, "the motion cannot be followed beyond t = %g: is the pose singular there?\n", t);
            return 1;
        }
        t = next;
    }
}
