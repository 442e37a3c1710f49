// The time of an answer must not say whether the service knows a wallet. test/e2e/common/privacy.test.ts compares the answers.
import { beforeAll, expect, test } from '@jest/globals'
import { COMPARED, NEVER_SEEN, prepareWithdrawnWallet, type Subject } from '../e2e/common/private-wallets.ts'
import { useWorld } from '../e2e/support/world.ts'

const world = useWorld({ shared: true })
let worked: Subject
beforeAll(async () => {
  ;({ worked } = await prepareWithdrawnWallet(world()))
})

/** Requests about each of the two wallets, in turn. */
const ROUNDS = 40
/** Medians further apart than this, and by more than half, would tell the wallets apart. */
const TOLERANCE_MS = 2
const medianOf = (values: number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

test.each(COMPARED)(
  '%s: an answer about a wallet without consent takes as long as one about a wallet that was never seen',
  async (_id, pathOf) => {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, subject] of [worked, NEVER_SEEN].entries()) {
        const began = performance.now()
        await world().call(pathOf(subject))
        times[index]?.push(performance.now() - began)
      }
    const [shorter = 0, longer = 0] = times.map(medianOf).toSorted((left, right) => left - right)
    expect(longer - shorter).toBeLessThan(Math.max(TOLERANCE_MS, shorter / 2))
  },
)
