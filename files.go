package cubeloom

import "github.com/cubeloom/cubeloom/runtime/store/fileaccess"

// Files say which files of the machine a session's statements may read and write.
type Files = fileaccess.Access

// NoFiles refuses every file.
func NoFiles() Files { return fileaccess.None{} }

// FilesBelow returns the regular files below a directory, wherever links lead, but
// those that are protected: the files, and all below the directories, that are
// named, which need not exist. Relative names are relative to the directory. An
// io.Closer of the result ends its use.
func FilesBelow(dir string, protected ...string) (Files, error) {
	return fileaccess.OpenFolder(dir, protected...)
}
