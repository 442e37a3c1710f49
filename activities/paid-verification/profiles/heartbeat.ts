const HEARTBEAT_MS = 5_000

/** Calls `heartbeat` every five seconds while the work lasts. */
export const withHeartbeat = async <Result>(heartbeat: () => void, work: () => Promise<Result>): Promise<Result> => {
  heartbeat()
  const timer = setInterval(heartbeat, HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
