import { expect, test } from '@jest/globals'
import { EVERY_CUT, STEPS, sweep } from '../../contracts/deploying/cut-sweep.ts'
import { oneIn } from '../../support/cases/sample.ts'

// `npm run test:whole -- test/long/contracts/deploy-cuts` plays all: each step is cut at each point, one after another, in one deployment.
test('a deployment that is killed at its steps goes on each time, and no step is sent twice', async () => {
  await sweep(oneIn(8, EVERY_CUT))
}, 900_000)

test('the sweep has every step at every point', () => {
  expect(EVERY_CUT).toHaveLength(STEPS.length * 4)
})
