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
