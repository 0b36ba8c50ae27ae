"""A tour of all routes of the contract, recorded so that two binaries can be compared by it."""
