def accelerations(@state@, p):
    """Accelerations a: M a = Q."""
    return np.linalg.solve(@call:mass_matrix@, @call:forces@)
