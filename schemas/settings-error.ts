/** Settings with which a process does not start. `problems` are `NAME: what is wrong`, without values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`bad settings: ${problems.join('; ')}`)
    this.problems = problems
  }
}
