// Command line, stack, time machine and demos on one state directory. The order of the modules is that of their tests.
// The first counts the blocks of a new chain, the second ends with a new state.
import './cli.cases.ts'
import './stack.cases.ts'
import './demos.cases.ts'
