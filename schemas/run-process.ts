import { isCertificateError } from './database-url.ts'
import { SettingsError } from './settings-error.ts'

/** Runs a process. Bad settings end it with their message alone: a stack trace says nothing about a setting. */
export const exitOnBadSettings = async (run: () => Promise<void>): Promise<void> => {
  try {
    await run()
  } catch (error) {
    const bad = isCertificateError(error) ? new SettingsError([`DATABASE_URL: ${error.message}`]) : error
    if (!(bad instanceof SettingsError)) throw error
    console.error(bad.message)
    process.exit(1)
  }
}

const STOPS = ['SIGTERM', 'SIGINT'] as const
type Stop = (signal: NodeJS.Signals) => void

/**
 * Runs `stop` at each signal that ends a process; the function that is returned replaces it. The listeners stay: a signal that waits while its
 * listener is removed reaches neither the removed nor the next one.
 */
export const handleStopSignals = (stop: Stop): ((next: Stop) => void) => {
  let current = stop
  for (const signal of STOPS) process.once(signal, () => current(signal))
  return (next) => {
    current = next
  }
}
