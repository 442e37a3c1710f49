// The parts below one API and one worker fail and come back, on one fleet. The order of the modules is that of their tests.
import './outages.cases.ts'
import './faulty-node.cases.ts'
