def solve(K, right):
    """The shortest x with the smallest residual K x - right, where K has the rank RANK and is taken to have no more."""
    U, sizes, V = np.linalg.svd(K)
    return V[:RANK].T @ ((U[:, :RANK].T @ right)/sizes[:RANK])
