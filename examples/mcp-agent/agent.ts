// An agent that knows one address and no name of any tool. It reads the instructions and the list, then follows the next calls that each
// answer proposes, until an answer is a signed badge. It brings three skills: its wallet, a signature, and the work.
import { keccak256, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openService } from '../local-service.ts'

type Json = Record<string, unknown>
type Next = { kind: string; tool?: string; arguments?: Json; needs?: string[]; description: string }
type Tool = { name: string; description: string; inputSchema: { required?: string[] } }
type Result = { isError?: boolean; structuredContent: Json & { nextActions?: Next[]; code?: string } }

const address = openService('MCP_URL', '/mcp')
const account = privateKeyToAccount((process.env.PRIVATE_KEY as `0x${string}` | undefined) ?? generatePrivateKey())
const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const MOST_CALLS = 60
let id = 0

/** Sends one message of the protocol. */
const send = async <Answer>(method: string, params: Json = {}): Promise<Answer> => {
  id += 1
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) })
  const { result, error } = (await response.json()) as { result: Answer; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

let definition: Json = {}

/** Replace this with your agent's work. It computes a hash that the task asks for, and fills other examples with the keywords of the verifier. */
const work = (): unknown => {
  const { description, verifierConfig, submissionContract } = definition as {
    description: string
    verifierConfig: { requiredKeywords?: string[] }
    submissionContract: { submitPayloadExample: { submission: unknown } }
  }
  const [, hashed] = /keccak256 of the UTF-8 bytes.* for the id (\S+),/.exec(description) ?? []
  const text = hashed === undefined ? (verifierConfig.requiredKeywords ?? []).join(', ') : keccak256(stringToHex(hashed))
  const fill = (_: string, value: unknown) => (typeof value === 'string' && /^<.*>$/.test(value) ? text : value)
  return JSON.parse(JSON.stringify(submissionContract.submitPayloadExample.submission), fill)
}

/** What the agent can add to a call, by the name of the argument. */
const SKILLS: Record<string, (sent: Json) => Promise<unknown> | unknown> = {
  wallet: () => account.address,
  signature: ({ message }) => account.signMessage({ message: String(message) }),
  submission: work,
}

const isAble = ({ tool, needs = [] }: Next): boolean => tool !== undefined && needs.every((name) => name in SKILLS)

const short = (value: unknown, length: number): string => {
  const text = JSON.stringify(value).replaceAll(/eyJ[\w.-]+/g, '<token>')
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

/** Calls a tool with what it proposes and what the agent adds. */
const call = async ({ tool = '', arguments: given = {}, needs = [] }: Next): Promise<Result> => {
  const sent: Json = { ...given }
  for (const name of needs) sent[name] = await SKILLS[name]?.(given)
  console.log(`→ ${tool} ${short(sent, 300)}`)
  const result = await send<Result>('tools/call', { name: tool, arguments: sent })
  const { nextActions = [], ...answer } = result.structuredContent
  const size = Buffer.byteLength(JSON.stringify(result.structuredContent))
  console.log(`← ${size} bytes: ${result.isError ? `refused: ${answer.code}` : short(answer, 200)}`)
  for (const next of nextActions) console.log(`   next: ${next.tool ?? next.kind}: ${next.description}`)
  return result
}

const { instructions, serverInfo } = await send<{ instructions: string; serverInfo: { name: string } }>('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'mcp-agent', version: '1' },
})
const { tools } = await send<{ tools: Tool[] }>('tools/list')
console.log(`${serverInfo.name}: ${tools.length} tools\n${instructions}`)

const first = tools.find(({ name, inputSchema }) => instructions.includes(name) && (inputSchema.required ?? []).length === 0)
if (first === undefined) throw new Error('the instructions name no tool to begin with')
/** Calls that were proposed and not made, best last. */
let open: Next[] = [{ kind: 'tool', tool: first.name, description: first.description }]
const made = new Set<string>()

for (let calls = 0; calls < MOST_CALLS; calls += 1) {
  const next = open.pop()
  if (next === undefined) throw new Error('no answer proposes another call')
  const { structuredContent: answer, isError } = await call(next)
  const isSignedOut = (answer.nextActions ?? []).some(({ kind }) => kind === 'sign_in')
  if (!isSignedOut) made.add(JSON.stringify([next.tool, next.arguments]))
  if (typeof answer.token === 'string') headers.authorization = `Bearer ${answer.token}`
  if ('submissionContract' in answer && 'verifierConfig' in answer) definition = answer
  if ('signature' in answer && 'service' in answer) {
    console.log(`badge: ${answer.name}`)
    process.exit(0)
  }
  const isNew = (one: Next): boolean => (one.tool === next.tool && !isError) || !made.has(JSON.stringify([one.tool, one.arguments]))
  const proposed = (answer.nextActions ?? []).filter((one) => isAble(one) && isNew(one))
  // A call that needs a sign-in is made again after it.
  open = [...open.filter(isNew), ...(isSignedOut ? [next] : []), ...proposed.reverse()]
}
throw new Error(`no badge after ${MOST_CALLS} calls`)
