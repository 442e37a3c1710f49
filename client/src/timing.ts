/** The outcome of a promise, or the reason of the signal as soon as that aborts. */
export const untilAborted = <Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> => {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Waits, and rejects with the reason of the signal when that aborts. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout>
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer))
}

/** Wait before a repeat when the service names none: doubles from half a second to eight, of which a random half is left out. */
export const backoffMs = (failures: number): number => Math.min(8_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2)

/** The wait that the service names, and up to a quarter of a second more, so that callers do not come back together. */
export const statedWaitMs = (seconds: number): number => seconds * 1_000 + Math.random() * 250
