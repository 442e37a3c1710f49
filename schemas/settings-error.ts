/** Settings with which a process does not start. `problems` are `NAME: what is wrong`, without values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`bad settings: ${problems.join('; ')}`)
    this.problems = problems
  }
}

/** Runs a process. Bad settings end it with their message alone: a stack trace says nothing about a setting. */
export const exitOnBadSettings = async (run: () => Promise<void>): Promise<void> => {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
