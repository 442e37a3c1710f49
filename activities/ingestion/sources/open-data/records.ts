import { formatRank } from '../../../../domain/ingestion/open-data.ts'
import { boundLine } from '../../../../domain/ingestion/source-text.ts'
import type { OpenDataItem, OpenDataResource } from '../../../../schemas/ingestion/open-data.ts'
import { addressOrNull, elementsOf, instantOrNull, type Members, membersOf, textOrNull } from '../members.ts'

const TEXT_MAX = 300
const FORMAT_MAX = 60
/** Resources of a data set that are looked at. */
const RESOURCES_MAX = 100
/** Pages of the data sets of data.gov, whatever the address of its search. */
const DATAGOV_HOST = 'catalog.data.gov'

/** A data set before its resource is fetched. */
export type OpenDataRecord = Omit<OpenDataItem, 'facts' | 'resourceFault' | 'readAt'>

const boundOrNull = (value: unknown): string | null => {
  const text = textOrNull(value)
  return text === null ? null : boundLine(text, TEXT_MAX) || null
}

/** Formats by media type or by another name, in lower case. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['text/csv', 'CSV'],
  ['comma separated values', 'CSV'],
  ['application/json', 'JSON'],
  ['application/geo+json', 'GEOJSON'],
  ['application/vnd.geo+json', 'GEOJSON'],
  ['application/vnd.ms-excel', 'XLS'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'XLSX'],
  ['application/xml', 'XML'],
  ['text/xml', 'XML'],
  ['rest', 'API'],
  ['web api', 'API'],
])

const formatOf = (...names: readonly unknown[]): string | null => {
  const name = names.map(textOrNull).find((text) => text !== null)
  if (name === undefined) return null
  const plain = boundLine(name, FORMAT_MAX).replace(/^\./, '')
  return FORMATS.get(plain.toLowerCase()) ?? (plain.toUpperCase() || null)
}

interface Candidate extends OpenDataResource {
  /** Whether the portal names the address as that of the data themselves. */
  isDirect: boolean
}

/** The one resource of a data set: by format, then direct and https addresses first, then as the portal lists them. */
function chooseResource(candidates: readonly (Candidate | null)[]): OpenDataResource | null {
  const rank = ({ format, isDirect, url }: Candidate): number =>
    formatRank(format) * 4 + (isDirect ? 0 : 2) + (url.startsWith('https:') ? 0 : 1)
  const [first] = candidates.filter((candidate) => candidate !== null).sort((one, other) => rank(one) - rank(other))
  return first === undefined ? null : { title: first.title, url: first.url, format: first.format }
}

/** A distribution of DCAT-US. Source: DCAT-US schema 1.1, "distribution". */
function distributionOf(value: unknown): Candidate | null {
  const { title, downloadURL, accessURL, format, mediaType } = membersOf(value)
  const direct = addressOrNull(downloadURL)
  const url = direct ?? addressOrNull(accessURL)
  return url === null ? null : { title: boundOrNull(title), url, format: formatOf(format, mediaType), isDirect: direct !== null }
}

/** A resource of CKAN. Source: CKAN API guide, `package_show`. */
function resourceOf(value: unknown): Candidate | null {
  const { name, url: given, format, mimetype } = membersOf(value)
  const url = addressOrNull(given)
  return url === null ? null : { title: boundOrNull(name), url, format: formatOf(format, mimetype), isDirect: true }
}

/** What names a data set in the search of data.gov: its short name and the id of its publisher. */
export const datagovIds = (value: unknown): string[] => {
  const record = membersOf(value)
  return [record.slug, membersOf(record.dcat).identifier, record.identifier].map(textOrNull).filter((id) => id !== null)
}

/** A result of the search of data.gov. Source: data.gov, "Catalog API". */
export function datagovRecord(value: unknown): OpenDataRecord {
  const record = membersOf(value)
  const dcat = membersOf(record.dcat)
  const slug = boundOrNull(record.slug)
  const [id] = datagovIds(value)
  const access = textOrNull(dcat.accessLevel)
  return {
    kind: 'datagov',
    portal: DATAGOV_HOST,
    datasetId: boundLine(id ?? '', TEXT_MAX),
    title: boundOrNull(dcat.title ?? record.title),
    agency: boundOrNull(membersOf(record.organization).name ?? membersOf(dcat.publisher).name ?? record.publisher),
    license: boundOrNull(dcat.license),
    datasetUrl: slug === null ? addressOrNull(dcat.landingPage) : `https://${DATAGOV_HOST}/dataset/${encodeURIComponent(slug)}`,
    modifiedAt: instantOrNull(dcat.modified),
    isPublic: access === null || access.trim().toLowerCase() === 'public',
    isMissing: false,
    resource: chooseResource(elementsOf(dcat.distribution, RESOURCES_MAX).map(distributionOf)),
  }
}

/** A package of CKAN, whose pages are at `origin`. */
export function ckanRecord(value: unknown, origin: string): OpenDataRecord {
  const record: Members = membersOf(value)
  const name = boundOrNull(record.name ?? record.id)
  const organization = membersOf(record.organization)
  return {
    kind: 'ckan',
    portal: new URL(origin).host,
    datasetId: name ?? '',
    title: boundOrNull(record.title),
    agency: boundOrNull(organization.title ?? organization.name ?? record.author),
    license: boundOrNull(record.license_url ?? record.license_title ?? record.license_id),
    datasetUrl: name === null ? null : `${origin}/dataset/${encodeURIComponent(name)}`,
    modifiedAt: instantOrNull(record.metadata_modified),
    isPublic: record.private !== true,
    isMissing: false,
    resource: chooseResource(elementsOf(record.resources, RESOURCES_MAX).map(resourceOf)),
  }
}

/** A data set of which the portal shows only that it lacks or restricts it. */
export const absentRecord = (kind: OpenDataItem['kind'], origin: string, id: string, isPublic: boolean): OpenDataRecord => ({
  kind,
  portal: kind === 'datagov' ? DATAGOV_HOST : new URL(origin).host,
  datasetId: boundLine(id, TEXT_MAX),
  title: null,
  agency: null,
  license: null,
  datasetUrl: null,
  modifiedAt: null,
  isPublic,
  isMissing: isPublic,
  resource: null,
})
