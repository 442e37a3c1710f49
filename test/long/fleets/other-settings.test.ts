// Rules of other settings, on one stack. The order of the modules is that of their tests.
// The first counts the money of all: the claims that the second leaves open would move it.
import './without-arbitrator-key.cases.ts'
import './vesting.cases.ts'
