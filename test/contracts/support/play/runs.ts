/** How often a random play runs, and from which seed. `npm run play:contracts` and `npm run plays` set them; the gate plays a sample of the same moves each time. */
export const playRuns = (sample: number) => {
  const { PLAY_RUNS = String(sample), PLAY_SEED = '1' } = process.env
  const parameters = { numRuns: Number(PLAY_RUNS), seed: Number(PLAY_SEED), endOnFailure: true }
  process.stderr.write(`PLAY_SEED=${PLAY_SEED} PLAY_RUNS=${PLAY_RUNS}\n`)
  return { parameters, timeoutMs: parameters.numRuns * 30_000 }
}
