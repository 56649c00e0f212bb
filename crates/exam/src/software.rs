//! Software that several assignments work with.

use quintain_workspace::Software;

/// Python without anything.
pub(crate) const PYTHON: Software = Software { program: "python3", package: "python3", mend: "apt install python3" };

/// Python's arrays. The package of the module brings this program.
pub(crate) const NUMPY: Software =
    Software { program: "f2py", package: "python3-numpy", mend: "apt install python3-numpy" };
