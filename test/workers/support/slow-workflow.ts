import { condition, defineSignal, setHandler, sleep } from '@temporalio/workflow'

export const spin = defineSignal<[number]>('spin')

/** Has a step before itself, and then computes for so many rounds without letting go. */
export const stubborn = async (): Promise<void> => {
  setHandler(spin, (rounds) => {
    void Promise.resolve().then(() => sleep('1 hour'))
    let sum = 0
    for (let round = 0; round < rounds; round++) sum = (sum * 31 + round) % 1_000_003
    if (sum < 0) throw new Error('a sum of remainders is never negative')
  })
  await condition(() => false)
}

/** Waits for a moment and is done. */
export const brief = async (): Promise<string> => {
  await sleep(50)
  return 'done'
}
