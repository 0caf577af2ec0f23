// Package costs checks what statements may cost a server: it runs the program in a
// process of its own and measures that. Its tests have the build tag costs.
package costs
