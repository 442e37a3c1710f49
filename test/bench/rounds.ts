/** Runs `unit` with so many in flight until the time is over; answers how many a second were done. */
export const throughput = async (inFlight: number, milliseconds: number, unit: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  let done = 0
  const lane = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      await unit()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return done / ((performance.now() - began) / 1000)
}

/** Middle value; of two middle ones the lower. */
export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[(values.length - 1) >> 1] ?? Number.NaN

export interface Paired {
  /** Median of the rounds' quotients, ours by theirs. */
  ratio: number
  ours: number
  theirs: number
}

/** Measures two things in turn, so that a machine that is slower for a while is slower for both. */
export const paired = async (rounds: number, ours: () => Promise<number>, theirs: () => Promise<number>): Promise<Paired> => {
  const seen: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? await ours() : null
    const other = await theirs()
    seen.push({ ours: first ?? (await ours()), theirs: other })
  }
  return {
    ratio: median(seen.map((pair) => pair.ours / pair.theirs)),
    ours: median(seen.map((pair) => pair.ours)),
    theirs: median(seen.map((pair) => pair.theirs)),
  }
}
