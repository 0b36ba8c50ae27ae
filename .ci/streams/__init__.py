"""An oracle for Lectern's streams, based on the contract alone and independent of the code."""
