package cuda

// Instructions are for tests of other packages.
var Instructions = instructions
