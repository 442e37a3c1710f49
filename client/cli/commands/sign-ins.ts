import type { Answer } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatTable } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'

type SignIn = Answer<'listAuthSessions'>['items'][number]

/** Which sign-ins end; undefined to list them. Throws for more than one option. */
const findChoice = ({ options }: Context) => {
  const sessionId = textOption(options, 'revoke')
  const given = [
    ...(sessionId === undefined ? [] : [{ sessionId }]),
    ...(options.others === true ? [{ allBut: 'this' } as const] : []),
    ...(options.all === true ? [{ all: true } as const] : []),
  ]
  if (given.length > 1) throw usageError('sessions takes one of --revoke, --others and --all.', 'agent-work help sessions')
  return given[0]
}

const describeSignIns = (items: readonly SignIn[], bold: (text: string) => string): string[] => {
  const [head = '', ...table] = formatTable<SignIn>(
    [
      { title: 'SIGN-IN', value: ({ sessionId, current }) => (current ? `${sessionId} *` : sessionId) },
      { title: 'SINCE', value: ({ signedInAt }) => formatInstant(signedInAt) },
      { title: 'LAST USED', value: ({ lastUsedAt }) => (lastUsedAt === null ? '' : formatInstant(lastUsedAt)) },
      { title: 'NETWORK', value: ({ network }) => network ?? '' },
    ],
    items,
  )
  return [bold(head), ...table, '', '* The one of this command.']
}

/** `sessions`: the sign-ins of the wallet; with an option it ends some of them. */
export const sessions = async (context: Context): Promise<Report> => {
  const { signal, state, output } = context
  const choice = findChoice(context)
  const { client } = await openSignedIn(context)
  const items: SignIn[] = []
  for await (const item of client.paginate('listAuthSessions', { limit: 200 }, { signal })) items.push(item)
  if (choice === undefined) return { document: { items }, lines: describeSignIns(items, output.bold) }
  const { ended } = await client.revokeAuthSessions(choice, { signal })
  if (items.some(({ sessionId, current }) => current && ended.includes(sessionId))) state.deleteSession()
  return { document: { ended }, lines: ended.length === 0 ? ['No other sign-in is open.'] : ended.map((id) => `${id} has ended.`) }
}
