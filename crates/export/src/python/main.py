if __name__ == "__main__":
    parameters, times = Parameters(), row_times()
    print(",".join(COLUMNS))
    for t, y in zip(times, simulate(parameters, times=times)):
        print(",".join(f"{value:.17g}" for value in row(t, y, parameters)))
