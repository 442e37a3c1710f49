import type { JobDefinition, JobSource } from '../../schemas/catalogue/job-definition.ts'
import type { JobTerms } from '../../schemas/catalogue/job-input.ts'
import { isPinnable } from './open-data.ts'

/** Method of jobs whose expected outputs are facts of the bytes at one pinned address, each as `name value`. */
export const COMMITTED_FACTS_METHOD = 'committed_source_facts'

/** Whether facts of a pinned source decide. */
export const isCommittedFacts = ({ verification }: Pick<JobDefinition | JobTerms, 'verification'>): boolean =>
  verification?.method === COMMITTED_FACTS_METHOD

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** True for an address of this machine. Only the local stack reaches one: the guard of outbound requests refuses it elsewhere. */
const isLoopback = (address: unknown): address is string => {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  return LOOPBACK.test(url.hostname) && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** Address of the bytes from which the facts are; null where a job pins none that can be fetched. */
export const pinnedSource = (source: JobSource | undefined): string | null => {
  const address = source?.pinnedUrl
  return isPinnable(address) || isLoopback(address) ? address : null
}

/** A fact in its parts; both are in lower case where the rule compares them. */
export interface Fact {
  name: string
  value: string
}

const FACT = /^([a-z][a-z0-9_-]{0,59}) (\S.*)$/su

/** A fact from `name value`; null for a text in another form. */
export const parseFact = (text: string): Fact | null => {
  const [, name, value] = FACT.exec(text) ?? []
  return name === undefined || value === undefined ? null : { name, value }
}

/** Form of the value of a known fact, in lower case. A fact with another name is any text. */
const FORMS: Readonly<Record<string, 'digest' | 'number'>> = {
  sha256: 'digest',
  bytes: 'number',
  paths: 'number',
  operations: 'number',
  schemas: 'number',
  'operations-without-description': 'number',
  'operations-without-operation-id': 'number',
  'operations-without-example': 'number',
  rows: 'number',
  entries: 'number',
}

/** What the value of a fact looks like at the place where it begins. */
export const factForm = (name: string): RegExp => {
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
  if (form === 'digest') return /[0-9a-f]{64}(?![\p{L}\p{N}_])/uy
  return form === 'number' ? /\d+(?![\p{L}\p{N}_])/uy : /[^\s]/uy
}

/** Whether a value is whole and of the form of its fact. */
export const isFactValue = ({ name, value }: Fact): boolean => {
  const form = factForm(name)
  if (!form.test(value.toLowerCase())) return false
  return !Object.hasOwn(FORMS, name) || form.lastIndex === value.length
}
