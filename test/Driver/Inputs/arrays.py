"""Makes and prints the small arrays of the tests: `arrays.py make F.npy DTYPE VALUES` (JSON) or
`arrays.py show F.npy`."""

import json
import sys

import numpy as np

if sys.argv[1] == "make":
    np.save(sys.argv[2], np.array(json.loads(sys.argv[4]), dtype=sys.argv[3]))
else:
    array = np.load(sys.argv[2])
    print(array.dtype, array.shape, array.ravel().tolist())
