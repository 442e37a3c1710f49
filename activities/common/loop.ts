/** Longest wait of `stop` for the running round: one that hangs must not keep a process from ending. */
const STOP_MS = 2_000

export interface LoopParts<T> {
  round: () => Promise<T>
  /** Milliseconds from the end of a round to the next one, also as a function of what the round returned; undefined after a failure. */
  every: number | ((found: T | undefined) => number)
  /** Milliseconds until the first round; by default it runs at once. */
  firstMs?: number
  onFailure: (error: unknown) => void
}

export interface Loop<T> {
  /** Resolves after the first round. */
  first: Promise<unknown>
  /** Runs one more round when the running one has ended. Resolves to what it returned, and to undefined when it failed. */
  round(): Promise<T | undefined>
  /** Starts no more rounds; resolves when the running one has ended, after two seconds at the latest. */
  stop(): Promise<void>
}

/** Runs rounds one after another until it is stopped. A round that fails is reported, and the loop goes on. */
export const startLoop = <T>({ round, every, firstMs = 0, onFailure }: LoopParts<T>): Loop<T> => {
  const first = Promise.withResolvers<void>()
  let running: Promise<T | undefined> = Promise.resolve(undefined)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const runReported = async (): Promise<T | undefined> => {
    try {
      return await round()
    } catch (error) {
      onFailure(error)
      return undefined
    }
  }
  const runNext = (): Promise<T | undefined> => {
    running = running.then(runReported)
    return running
  }
  const turn = async (): Promise<void> => {
    const found = await runNext()
    first.resolve()
    if (!isStopped) timer = setTimeout(turn, typeof every === 'number' ? every : every(found)).unref()
  }
  if (firstMs === 0) void turn()
  else timer = setTimeout(turn, firstMs).unref()

  return {
    first: first.promise,
    round: runNext,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      const late = Promise.withResolvers<void>()
      const limit = setTimeout(late.resolve, STOP_MS)
      await Promise.race([running, late.promise])
      clearTimeout(limit)
    },
  }
}
