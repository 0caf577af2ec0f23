package cubeloom

// Version is the version of the engine, by semantic versioning. CHANGELOG.md says
// what each of them brought.
const Version = "0.2.0"
