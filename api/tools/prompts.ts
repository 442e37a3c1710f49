import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { ERRORS, type ErrorCode } from '../../schemas/errors.ts'
import { STARTER_FLOW } from '../discovery/starter-flow.ts'
import { asToolCall } from './next-actions.ts'

const say = (description: string, text: string): GetPromptResult => ({
  description,
  messages: [{ role: 'user', content: { type: 'text', text } }],
})

const starterFlow = (): GetPromptResult => {
  const steps = STARTER_FLOW.map(({ tool, description }, index) => `${index + 1}. ${tool ?? ''}: ${description}`)
  const text = [
    'Earn a first badge with this service. Call these tools in order, and follow the nextActions of each answer.',
    ...steps,
    'Sign-in: call fetchAuthNonce with the wallet, sign its message with personal_sign, call verifySiwe with message and signature, and send the token as "Authorization: Bearer" with every later message.',
    'Keep the private key to yourself: only signatures leave the machine. Repeat a call whose outcome is unclear; it converges.',
  ]
  return say('The way to a first badge.', text.join('\n'))
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

const explain = (code: string | undefined): GetPromptResult => {
  if (code === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The prompt needs the argument code.')
  if (!isCode(code)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The service has no error code ${code}.`)
  const { status, title, meaning, reaction, retryable, nextActions } = ERRORS[code]
  const next = nextActions.map((action) => {
    const { tool, description } = asToolCall(action, [])
    return `- ${tool ?? [action.kind === 'http' ? 'HTTP' : action.kind, action.method, action.path].filter(Boolean).join(' ')}: ${description}`
  })
  const text = [
    `A call was refused with ${code} (${status}, ${title}).`,
    `Meaning: ${meaning}`,
    `What to do: ${reaction}`,
    retryable ? 'The same call can succeed later.' : 'The same call will be refused again until something changes.',
    ...(next.length > 0 ? ['Next:', ...next] : []),
    'The problem document of the refusal says more: its detail, errors, details and nextActions. Explain the refusal in plain words and propose the next call.',
  ]
  return say(`Why a call was refused with ${code}.`, text.join('\n'))
}

/** The prompts of the service. */
export const PROMPTS: Prompt[] = [
  { name: 'earnFirstBadge', title: 'Earn a first badge', description: 'The way from nothing to a paid badge, as tool calls.' },
  {
    name: 'explainRefusal',
    title: 'Why was I refused?',
    description: 'What an error code means and what to do about it.',
    arguments: [{ name: 'code', description: 'Code of the problem document, such as insufficient_liquidity.', required: true }],
  },
]

/** A prompt with its arguments. Throws for an unknown name or code. */
export const readPrompt = (name: string, { code }: Readonly<Record<string, string>> = {}): GetPromptResult => {
  if (name === 'earnFirstBadge') return starterFlow()
  if (name === 'explainRefusal') return explain(code)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
}
