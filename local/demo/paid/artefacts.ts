import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import type { StackInfo } from '../../info.ts'

const SOURCE = 'The bridge carries two lanes of traffic over the river, and has done so since 1894.'
const SCHEMA = JSON.stringify({ type: 'object', required: ['lanes'] })

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

type Host = Pick<StackInfo, 'artefacts' | 'artefactsCertificate'>

/** Sends a request to the host of artefacts, whose certificate no authority signed. Returns the status. */
const send = async ({ artefactsCertificate }: Host, method: 'PUT' | 'DELETE', url: string, content = ''): Promise<number> => {
  const sent = request(url, { method, ca: readFileSync(artefactsCertificate) })
  sent.end(content)
  const [answer] = await once(sent, 'response')
  answer.resume()
  return answer.statusCode
}

/** An artefact at its address, as a request for a run names it. */
const publish = async (info: Host, content: string, format: string) => {
  const sha256 = sha256Of(content)
  const url = `${info.artefacts}/${sha256}`
  const status = await send(info, 'PUT', url, content)
  if (status !== 201) throw new Error(`the host of artefacts answered ${status}`)
  return { sha256, bytes: Buffer.byteLength(content), locator: { kind: 'https', url }, format }
}

/** What is verified: a claim about a bridge with the sentence of the source that it quotes. */
export interface Evidence {
  lanes: number
  quote: string
  /** True for a source that is gone when the service asks for it. */
  isGone?: true
}

/** Publishes output, schema and source. Returns the request for a run that checks them. */
export const publishEvidence = async (info: Host, { lanes, quote, isGone }: Evidence) => {
  const source = isGone ? `${SOURCE} So it was written.` : SOURCE
  const output = JSON.stringify({ lanes, citations: [{ source: sha256Of(source), quote, claim: '/lanes' }] })
  const sources = [await publish(info, source, 'text')]
  const inputs = { output: await publish(info, output, 'json'), schema: await publish(info, SCHEMA, 'json-schema'), sources }
  if (isGone) for (const { locator } of sources) await send(info, 'DELETE', locator.url)
  return { profile: 'structured-output-evidence-v1', profileVersion: 1, target: {}, inputs }
}
