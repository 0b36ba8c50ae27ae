"""An oracle for Lectern's streams, from outside: it knows the contract and nothing of the code."""
