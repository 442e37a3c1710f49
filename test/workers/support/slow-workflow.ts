import { condition, defineSignal, setHandler, sleep } from '@temporalio/workflow'

/** Rounds of a small sum, a million at a time, so that all numbers stay small. */
export const compute = (millions: number): number => {
  let sum = 0
  for (let million = 0; million < millions; million++) for (let round = 0; round < 1_000_000; round++) sum = (sum * 31 + round) % 1_000_003
  return sum
}

export const spin = defineSignal<[number]>('spin')

/** Has a step before itself, and then computes without letting go. */
export const stubborn = async (): Promise<void> => {
  setHandler(spin, (millions) => {
    void Promise.resolve().then(() => sleep('1 hour'))
    compute(millions)
  })
  await condition(() => false)
}

/** Waits for a moment and is done. */
export const brief = async (): Promise<string> => {
  await sleep(50)
  return 'done'
}
