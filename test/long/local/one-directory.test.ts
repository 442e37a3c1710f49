// Command line, stack, time machine and demos on one state directory. The order of the modules is that of their tests.
// The first counts the payments of a new chain; the second begins anew, and its time machine moves weeks ahead.
import './cli.cases.ts'
import './stack.cases.ts'
import './demos.cases.ts'
