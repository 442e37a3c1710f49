// Work on a job of a source by its definition alone.
import { stateFact } from './facts.ts'

/** What the agent needs of a job definition. Members of `source` depend on the source. */
export interface Definition {
  title: string
  verifierMode: string
  verifierConfig: { requiredKeywords?: string[]; anchorEvidence?: { language: string; revisionId: string } }
  verification?: { method?: string; signals?: string[] }
  agentInstructions?: string[]
  source?: Record<string, unknown>
  submissionContract: { submitPayloadExample: { submission: Members } }
}

/** The text that a pull request needs. */
export interface PullRequest {
  repo: string
  title: string
  body: string
}

/** What the work reaches the world with. */
export interface Tools {
  /** Bytes at an address, without a content encoding. */
  fetchBytes(address: string): Promise<Buffer>
  /** Address of the action API of an edition of the encyclopedia. */
  encyclopediaApi(language: string): string
  /** Opens a pull request and returns its address. */
  openPullRequest(request: PullRequest): Promise<string>
}

/** What the claim returned. */
export interface Claimed {
  /** Belongs into the text of a pull request; null for other work. */
  disclosureFooter?: string | null
}

type Members = Record<string, unknown>

/** The example of the job with a text at each place that it leaves open. */
const fill = (example: Members, text: string): Members =>
  JSON.parse(JSON.stringify(example), (_, value: unknown) => (typeof value === 'string' && /^<.*>$/.test(value) ? text : value))

const textMember = (source: Members | undefined, name: string): string => {
  const value = source?.[name]
  if (typeof value !== 'string') throw new Error(`the source of the job has no ${name}`)
  return value
}

/** Facts of the bytes at the pinned address, each as evidence of a check, or together in the member that the instructions name. */
async function findFacts({ source, verification, agentInstructions = [], submissionContract }: Definition, tools: Tools): Promise<Members> {
  const example = submissionContract.submitPayloadExample.submission
  const bytes = await tools.fetchBytes(textMember(source, 'pinnedUrl'))
  const facts = (verification?.signals ?? []).map((name) => stateFact(name, bytes))
  const filled = fill(example, 'Read at the pinned address.')
  if (Array.isArray(example.checks))
    return { ...filled, checks: facts.map((evidence, index) => ({ name: `Fact ${index + 1}`, status: 'pass', evidence })) }
  const member = Object.keys(example).find((name) => agentInstructions.some((line) => line.includes(name)))
  if (member === undefined) throw new Error('the instructions name no member for the facts')
  return { ...filled, [member]: facts.join('\n') }
}

/** Wikitext of a pinned revision. Source: MediaWiki action API. */
async function readRevision(language: string, revisionId: string, tools: Tools): Promise<string> {
  const query = {
    action: 'query',
    format: 'json',
    formatversion: '2',
    prop: 'revisions',
    revids: revisionId,
    rvprop: 'ids|content',
    rvslots: 'main',
  }
  const answer = await tools.fetchBytes(`${tools.encyclopediaApi(language)}?${new URLSearchParams(query)}`)
  type Answer = { query?: { pages?: { revisions?: { slots: { main: { content: string } } }[] }[] } }
  const content = (JSON.parse(answer.toString('utf8')) as Answer).query?.pages?.[0]?.revisions?.[0]?.slots.main.content
  if (content === undefined) throw new Error(`the edition shows no revision ${revisionId}`)
  return content
}

/** Fewest characters of a quote that the verifier takes. */
const SHORTEST_QUOTE = 20

/** A citation that lacks a source, quoted from the pinned revision, and an address that stands in it. */
async function repairCitation(filled: Members, { verifierConfig: { anchorEvidence } }: Definition, tools: Tools): Promise<Members> {
  if (anchorEvidence === undefined) return filled
  const wikitext = await readRevision(anchorEvidence.language, anchorEvidence.revisionId, tools)
  const lines = wikitext.split('\n').filter((line) => line.trim().length >= SHORTEST_QUOTE)
  const quote = (lines.find((line) => /\{\{(?:citation needed|dead link)/i.test(line) && !line.startsWith('{{')) ?? lines[0] ?? '').trim()
  const [address = ''] = /https?:\/\/[^\s|<>\]}]+/.exec(wikitext) ?? []
  const place = { current_claim: quote, source_quote: quote, target_text: quote, evidence_url: address, source_url: address }
  return JSON.parse(JSON.stringify(filled), (name, value: unknown) =>
    Object.hasOwn(place, name) ? place[name as keyof typeof place] : value,
  )
}

/** Names the terms that the verifier looks for. Replace this with your agent's work. */
async function reportTerms(definition: Definition, tools: Tools): Promise<Members> {
  const { verifierConfig, submissionContract } = definition
  const terms = (verifierConfig.requiredKeywords ?? []).join(', ')
  return repairCitation(fill(submissionContract.submitPayloadExample.submission, terms), definition, tools)
}

/** Opens a pull request with the footer of the claim. What the submission asks for besides stands in the source of the job. */
async function offerPullRequest(
  { source, title, submissionContract }: Definition,
  { disclosureFooter }: Claimed,
  tools: Tools,
): Promise<Members> {
  const issue = source?.issueNumber
  const subject = typeof issue === 'number' ? `Fixes #${issue}.` : title
  const body = [subject, 'Tested with: npm test, 12 passed.', disclosureFooter ?? ''].join('\n\n')
  const prUrl = await tools.openPullRequest({ repo: textMember(source, 'repo'), title, body })
  const filled = fill(submissionContract.submitPayloadExample.submission, 'npm test: 12 passed')
  const known = Object.keys(filled).filter((name) => source?.[name] !== undefined)
  return { ...filled, ...Object.fromEntries(known.map((name) => [name, source?.[name]])), prUrl }
}

/** The submission for a job. Throws for a job that this agent cannot do. */
export async function work(definition: Definition, claimed: Claimed, tools: Tools): Promise<Members> {
  if (definition.verification?.method === 'committed_source_facts') return findFacts(definition, tools)
  if (definition.verifierMode === 'benchmark') return reportTerms(definition, tools)
  if (definition.verifierMode === 'codehost_pr') return offerPullRequest(definition, claimed, tools)
  throw new Error(`this agent does no work for the verifier ${definition.verifierMode}`)
}
