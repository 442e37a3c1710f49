import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBridge } from '../bridge/bridge.ts'
import { createForwarder } from '../bridge/forward.ts'
import { type BridgeTokens, createFileToken, createGrantedTokens } from '../bridge/tokens.ts'
import type { Context } from '../context.ts'
import { CliError } from '../failures.ts'
import type { Report } from '../output/output.ts'
import { type DelegateOptions, readDelegateOptions } from '../service/delegate-options.ts'
import { grantDelegate } from '../service/grant.ts'
import { assertSigner, findKeySource, type KeySource } from '../service/sign-in.ts'

/** Time in which a client reads what was written before. A client on a busy machine can take longer, and then misses a note. */
const PAUSE_MS = 20
/** Longest time that the end of the delegate may take: the end of the program does not wait longer after a signal. */
const END_MS = 1_500

const NAME_CHARACTERS = 60

/** Name of the bridge on this machine, in characters that a sign-in text can hold. */
const bridgeName = (): string => `agent-work mcp on ${hostname().replaceAll(/[^A-Za-z0-9._-]+/g, '-')}`.slice(0, NAME_CHARACTERS)

/** Lets the wallet of a key file grant to the bridge. Returns the token. */
const grantTo = async (context: Context, source: KeySource, asked: DelegateOptions): Promise<string> => {
  const name = bridgeName()
  // A message that waits gets its answer at once, and the next one tries again.
  const granted = await grantDelegate(context, source, asked, { name, purpose: 'unattended', maxRetries: 0 })
  const { token, subject, expiresAt, grantId } = granted
  context.output.note(`${subject} lets ${name} act until ${expiresAt}. Grant ${grantId}.`)
  return token
}

const openTokens = async (context: Context): Promise<BridgeTokens> => {
  const { tokenFile } = context
  if (tokenFile !== undefined) return createFileToken(context, tokenFile)
  const source = findKeySource(context)
  await assertSigner(source)
  const asked = readDelegateOptions(context)
  return createGrantedTokens(context, () => grantTo(context, source, asked))
}

/** `mcp`: forwards the messages of standard input to the service, and its answers to standard output, until the input ends. */
export const mcp = async (context: Context): Promise<Report> => {
  const { baseUrl, output, signal } = context
  const tokens = await openTokens(context)
  await tokens.current().catch((error: unknown) => {
    // What a person has to mend ends the program; the service can come back.
    if (error instanceof CliError) throw error
    output.note(`Not signed in yet: ${error instanceof Error ? error.message : String(error)}. The next message tries again.`)
  })
  const write = (line: string): void => void process.stdout.write(`${line}\n`)
  const forward = createForwarder({ url: `${baseUrl}/mcp`, tokens, write, note: output.note, pause: () => sleep(PAUSE_MS) })
  try {
    await runBridge({ input: process.stdin, write, forward, signal })
  } finally {
    await tokens
      .end(AbortSignal.timeout(END_MS))
      .catch((error: unknown) => output.note(`The delegate was not ended: ${error instanceof Error ? error.message : String(error)}.`))
  }
  return { document: undefined, lines: [] }
}
