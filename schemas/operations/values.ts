import { getAddress } from 'viem/utils'
import { z } from 'zod'

type Members = z.core.$ZodLooseShape

/** An object of the documents: its name there, what it is, and its members. */
export const shape = <Given extends Members>(id: string, description: string, members: Given) => z.object(members).meta({ id, description })

/** The same for an object that has no other members. */
export const closedShape = <Given extends Members>(id: string, description: string, members: Given) =>
  z.strictObject(members).meta({ id, description })

/** An object that stands in one place of a shape: what it is, and its members. */
export const part = <Given extends Members>(description: string, members: Given) => z.object(members).describe(description)

/** Lower-case 0x address of an answer. */
export const Address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .meta({ examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'] })

/** The native account that a wallet belongs to, beside it in an answer. */
export const NativeAccountShape = closedShape('NativeAccount', 'Native account whose key the wallet belongs to.', {
  ss58: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{46,50}$/)
    .describe('SS58 address with prefix 0; its letter case counts.'),
  accountId32: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .describe('Account id: the public key.'),
})

/** Member of every answer that shows a worker. */
export const nativeAccount = NativeAccountShape.optional().describe('Absent where the wallet is that of an Ethereum key.')

const validSpelling = (text: string): boolean => {
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || getAddress(text.toLowerCase()) === text
}

/** Address of an input, in one case or with a valid checksum; parsed to lower case. */
export const AddressInput = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x and 40 hex digits', abort: true })
  .refine(validSpelling, { error: 'mixed case needs a valid EIP-55 checksum' })
  .transform((text) => text.toLowerCase() as `0x${string}`)
  .meta({ description: '0x address in one case, or in mixed case with a valid checksum (EIP-55).', format: 'evm-address' })

export const Bytes32 = z.string().regex(/^0x[0-9a-f]{64}$/)

/** Bytes of a file that is no text, as a whole body. */
export const FileBytes = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' })

/** ISO 8601 UTC with Z. */
export const IsoTime = z.iso.datetime().meta({ examples: ['2026-01-02T03:04:05.000Z'] })

/** Instant of a signed document, in the one form that `toISOString` gives. */
export const SignedTime = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-01-02T03:04:05.000Z'] })

/** Instant of an input, in a year that the database and the wire can hold: 1000 to 9999. */
export const InstantInput = z.iso.datetime().regex(/^[1-9]/, { error: 'must be an instant of the year 1000 or later' })

/** Day in UTC, `YYYY-MM-DD`, in a year that the database and the wire can hold. */
export const DayInput = z.iso
  .date()
  .regex(/^[1-9]/, { error: 'must be a day of the year 1000 or later' })
  .meta({ examples: ['2026-01-02'] })

/** Amount in base units, as digits. */
export const RawAmount = z
  .string()
  .regex(/^[0-9]+$/)
  .meta({ description: 'Integer in base units, as digits.', examples: ['2000000'] })

/** Amount of a request in base units: digits, greater than zero, below the largest number of the chain. */
export const REQUEST_AMOUNT = /^[1-9][0-9]{0,76}$/
export const RequestAmount = z
  .string()
  .regex(REQUEST_AMOUNT, { error: 'must be a positive integer in base units, as digits' })
  .meta({ description: 'Integer in base units, as digits, greater than zero.', examples: ['1000000'] })

/** Amount in whole units, as a decimal string. */
export const DecimalAmount = z
  .string()
  .regex(/^-?[0-9]+(\.[0-9]+)?$/)
  .meta({ description: 'Whole units, as a decimal string.', examples: ['2.5'] })

/** Integer that counts no money, such as a block number, as digits. */
export const DigitString = z
  .string()
  .regex(/^[0-9]+$/)
  .meta({ examples: ['118'] })

const amountMembers = { raw: RawAmount, decimals: z.int().min(0).max(30), display: DecimalAmount }

/** Amount of an answer whose asset is named beside it: base units with their decimals, and the same in whole units. */
export const Amount = z
  .object(amountMembers)
  .meta({ id: 'Amount', description: 'Amount in base units with its decimals, and in whole units.' })

/** Amount of an answer with the symbol of its asset. */
export const AssetAmount = shape('AssetAmount', 'Amount with the symbol of its asset.', { asset: z.string(), ...amountMembers })

/** Amount of a badge. Source: specification, "Agent badge metadata". */
export const BadgeAmount = z
  .strictObject({ asset: z.string(), amount: RawAmount, decimals: z.int().min(0).max(30) })
  .meta({ id: 'BadgeAmount', description: 'Amount of a badge in base units of its asset.' })

/** Name of the component that states which symbols the service has. */
export const ASSET_SYMBOL = 'AssetSymbol'

/** Symbol of an asset; the handlers refuse a symbol that the service does not have. */
export const AssetSymbolInput = z
  .string()
  .regex(/^[A-Za-z0-9.]{1,12}$/)
  .meta({ id: ASSET_SYMBOL, description: 'Symbol of an asset of the service.', examples: ['USDC'] })

export const JobIdInput = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(200)
  .meta({ examples: ['starter-docs-001'] })

/** Session id of the examples. */
export const SESSION_EXAMPLE = 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** `<jobId>:<checksummed wallet>`, from the second attempt on with `:<n>`. Accepted in any case of the address. */
export const SessionIdInput = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(300)
  .meta({ description: '`<jobId>:<wallet>`, from the second attempt on with `:<n>`.', examples: [SESSION_EXAMPLE] })

/** 1 to 255 printable ASCII characters. */
export const IdempotencyKeyInput = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable ASCII characters' })
  .describe('Alias of the header `Idempotency-Key`.')

/** What is not white space, and anything that can be stored, in the pattern of a document. */
const [INK, ANY] = ['[^\\s\\u0000]', '[^\\u0000]']

/** Text of `min` to `max` characters without the white space around it. Its pattern says so in the document, where lengths count white space. */
export const trimmedText = (min: number, max: number) => {
  const pattern = min < 2 ? `^${ANY}*${INK}${ANY}*$` : `^\\s*${INK}${ANY}{${min - 2},}${INK}\\s*$`
  return z.string().trim().min(min).max(max).meta({ pattern })
}

/** JSON object with any members. */
export const OpenObject: z.ZodType<Record<string, unknown>, object> = z.record(z.string(), z.unknown())

/** Another spelling of a member: documents name it, and tools leave it out. */
export const aliasOf = <Schema extends z.ZodType>(name: string, member: Schema): Schema =>
  member.meta({ description: `Alias of \`${name}\`.`, aliasOf: name })

/** Constant text of the type `string`, so that handlers need no narrowing. */
export const literal = (value: string) => z.literal(value)

/** Query members of every list: `limit`, an integer in 1..max (any other value breaks the rule `range`), and an opaque cursor. Source: http 1.7. */
export const listQuery = (fallback: number, max: number) => ({
  limit: z
    .string()
    .transform((text, { issues }) => {
      const limit = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
      if (limit >= 1 && limit <= max) return limit
      issues.push({ code: 'too_big', origin: 'number', maximum: max, input: text, message: `must be an integer from 1 to ${max}` })
      return z.NEVER
    })
    .pipe(z.int().min(1).max(max))
    .default(fallback),
  cursor: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .meta({ description: '`nextCursor` of the page before, with the same filters.', format: 'page-cursor' }),
})

/** Members of every list answer besides its array. */
export const listAnswer = { limit: z.int().min(1), nextCursor: z.string().nullable().describe('Null on the last page.') }

/** States to readers of the document that exactly one of the members stands in the object; the object's own rule refuses the others. */
export const oneMemberOf = (...names: string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) })

/** `true` or `false` in a query. */
export const flagQuery = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .pipe(z.boolean())
  .optional()

/** Maximum wait for a state change in seconds, 0 to 25. */
export const WaitSecondsQuery = z
  .string()
  .regex(/^[0-9]+$/, { error: 'must be an integer from 0 to 25' })
  .transform(Number)
  .pipe(z.int().min(0).max(25))
  .default(0)
  .describe('Seconds to hold the answer until the state changes.')

export const ChainIdValue = z.int().positive()

/** Gas of a transaction that a wallet sends itself. */
export const GasRequiredShape = shape('GasRequired', 'Gas that a transaction needs, beside what the wallet has.', {
  gas: DigitString.describe('Most gas that the transaction uses.'),
  cost: AssetAmount.optional().describe('Cost of the gas at the current fee; absent while the chain is not readable.'),
  nativeBalance: AssetAmount.optional().describe('Native balance of the wallet that has to send it.'),
})

/** Next action of a caller: an HTTP request, a tool, a transaction, a wait or a new sign-in. */
export const NextActionShape = shape('NextAction', 'What the caller can do next.', {
  kind: z.enum(['http', 'tool', 'transaction', 'wait', 'sign_in']),
  description: z.string(),
  method: z.string().optional(),
  path: z.string().optional(),
  tool: z.string().optional(),
  arguments: OpenObject.optional().describe('Arguments of the tool call.'),
  needs: z.array(z.string()).optional().describe('Arguments that the caller adds to the tool call.'),
  transaction: OpenObject.optional().describe('Unsigned transaction that the wallet sends.'),
  gasRequired: GasRequiredShape.optional().describe('Only where the caller pays the gas of `transaction`.'),
  availableAt: IsoTime.optional().describe('Instant from which the action has an effect.'),
})

/** One failed rule of an input: RFC 6901 pointer for body members, `query/<name>`, `path/<name>` or `header/<name>` otherwise. */
export const FieldErrorShape = shape('FieldError', 'One failed rule of an input.', {
  pointer: z.string().describe('RFC 6901 pointer of a body member; `query/<name>`, `path/<name>` or `header/<name>` otherwise.'),
  rule: z.string().describe('Name of the failed rule.'),
  limit: z.union([z.string(), z.number()]).optional().describe('Bound, pattern or accepted values of the rule.'),
  message: z.string(),
})

/** Problem document of every status of 400 and above (RFC 9457). */
export const ProblemShape = shape('Problem', 'Problem document (RFC 9457) of every status of 400 and above.', {
  type: z.url().describe('Address of the explanation of the code.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe('What is wrong with this request.'),
  code: z.string().describe('Stable code, for programs.'),
  reason: z.string().optional().describe('Finer than the code, where it has several causes.'),
  requestId: z.string().describe('Equals the header `X-Request-Id`.'),
  retryable: z.boolean().describe('True when the identical request can succeed later.'),
  retryAfterSeconds: z.int().min(0).optional(),
  nextActions: z.array(NextActionShape).describe('What resolves the problem, best first.'),
  errors: z.array(FieldErrorShape).optional().describe('Failed rules of the input.'),
  errorCount: z.int().min(1).optional().meta({ description: 'Number of all failed rules, when `errors` shows only the first 50.' }),
  details: OpenObject.optional().describe('Facts of this occurrence; the members depend on the code.'),
})

/** Signature of a badge, a receipt or a head of the session log. Source: identity, "Detached signature". */
export const DocumentSignatureShape = closedShape('DocumentSignature', 'Detached signature over the canonical JSON of the other members.', {
  alg: literal('ES256'),
  kid: z.string().describe('Id of the key in `GET /.well-known/jwks.json`.'),
  sig: z
    .string()
    .regex(/^[\w-]+\.\.[\w-]+$/)
    .describe('Detached JWS: protected header, nothing, signature.'),
  signedAt: SignedTime,
})
export type DocumentSignature = z.output<typeof DocumentSignatureShape>
