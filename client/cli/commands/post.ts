import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import type { Report } from '../output/output.ts'
import { draft, list, rehearse } from '../posting/draft.ts'
import { watchPosting } from '../posting/follow.ts'
import { cancel, fund } from '../posting/fund.ts'

const HELP = 'agent-work help post'

interface Action {
  run: (context: Context) => Promise<Report>
  /** Arguments that it takes after its name; the last one of `rehearse` stands for several. */
  arguments: readonly string[]
  options: readonly string[]
}

const ACTIONS: Readonly<Record<string, Action>> = {
  draft: { run: draft, arguments: ['FILE'], options: [] },
  rehearse: { run: rehearse, arguments: ['DRAFT', 'FILE…'], options: ['text'] },
  fund: { run: fund, arguments: ['DRAFT'], options: ['rpc', 'yes'] },
  watch: { run: watchPosting, arguments: ['JOB'], options: ['until'] },
  cancel: { run: cancel, arguments: ['JOB'], options: ['rpc', 'yes'] },
  list: { run: list, arguments: [], options: [] },
}

/** Throws for arguments and options of another action. `--yes` stands with each, so that a script can always give it. */
const assertUse = (name: string, { arguments: taken, options }: Action, context: Context): void => {
  const [, ...given] = context.arguments
  const missing = taken[given.length]
  if (missing !== undefined) throw usageError(`post ${name} needs ${missing.replace('…', '')}.`, HELP)
  const isRepeated = taken.at(-1)?.endsWith('…') ?? false
  if (given.length > taken.length && !isRepeated) throw usageError(`post ${name} has too many arguments.`, HELP)
  const others = Object.values(ACTIONS).flatMap((action) => action.options)
  const other = others.find((option) => option !== 'yes' && context.options[option] !== undefined && !options.includes(option))
  if (other !== undefined) throw usageError(`post ${name} takes no --${other}.`, HELP)
}

/** `post`: drafts a job of the wallet, funds it, watches it and takes its money back. */
export const post = async (context: Context): Promise<Report> => {
  const [name = ''] = context.arguments
  const action = ACTIONS[name]
  // The parser has checked the choice.
  if (action === undefined) throw usageError('There is no such action.', HELP)
  assertUse(name, action, context)
  return action.run(context)
}
