def solve(K, right):
    """x with K x = right."""
    return np.linalg.solve(K, right)
