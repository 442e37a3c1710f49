/** A data set of the seed, and the file that it names. */
export interface PublicDataset {
  /** Place in the seed, from 0; name of its file. */
  place: number
  slug: string
  identifier: string
  title: string
  description: string
  keyword: string[]
  organization: { name: string; slug: string; organization_type: string }
  accessLevel: string
  license: string | null
  /** As the publisher wrote it: mostly a date, sometimes a frequency or nothing. */
  modified: string | null
  format: string
  mediaType: string
  hasResource: boolean
  /** Whether the file's address answers a page for readers instead. */
  isRefused: boolean
}

const SUBJECTS = [
  'air quality',
  'water level',
  'bus stop',
  'street tree',
  'building permit',
  'noise',
  'bridge inspection',
  'rainfall',
  'budget',
]
const FORMS = ['stations', 'readings', 'inventory', 'register', 'survey', 'monthly totals']
const AGENCIES = ['Example Environment Agency', 'Example Transit Office', 'Example City Council', 'Example Statistics Bureau']
const FORMATS = [
  ['CSV', 'text/csv'],
  ['JSON', 'application/json'],
  ['CSV', 'text/csv'],
  ['GEOJSON', 'application/geo+json'],
  ['CSV', 'text/csv'],
  ['XML', 'application/xml'],
  ['PDF', 'application/pdf'],
] as const

const FIRST_DAY = Date.UTC(2019, 0, 1)
const DAY_MS = 86_400_000
const DAYS = 2_800
const LICENSE = 'https://creativecommons.org/publicdomain/zero/1.0/'

const every = (place: number, number: number): boolean => place % number === number - 1
const pick = <Value>(values: readonly Value[], place: number): Value => values[place % values.length] as Value

function modifiedOf(place: number): string | null {
  if (every(place, 29)) return null
  return every(place, 43) ? 'R/P1M' : new Date(FIRST_DAY + ((place * 7) % DAYS) * DAY_MS).toISOString().slice(0, 10)
}

/** The data set at a place of the seed. Some have no resource, no licence, no date, a restricted access, or a file that is none. */
export function datasetOf(place: number): PublicDataset {
  const subject = pick(SUBJECTS, place)
  const form = pick(FORMS, Math.floor(place / SUBJECTS.length))
  const title = `${subject} ${form} ${place + 1}`
  const slug = title.replaceAll(' ', '-')
  const agency = pick(AGENCIES, place)
  const [format, mediaType] = pick(FORMATS, place)
  return {
    place,
    slug,
    identifier: `https://data.example/id/${place + 1}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: `The ${form} of ${subject}, published by ${agency}.`,
    keyword: [subject, form],
    organization: { name: agency, slug: agency.toLowerCase().replaceAll(' ', '-'), organization_type: 'Federal Government' },
    accessLevel: every(place, 61) ? 'restricted public' : 'public',
    license: every(place, 23) ? null : LICENSE,
    modified: modifiedOf(place),
    format,
    mediaType,
    hasResource: !every(place, 37),
    isRefused: every(place, 41),
  }
}

const ROWS = 40

/** Bytes of a data set's file. */
export function fileOf({ place, format, title, isRefused }: PublicDataset): string {
  if (isRefused) return '<!DOCTYPE html><html><body>Your browser is not supported.</body></html>'
  const rows = Array.from({ length: 1 + (place % ROWS) }, (_, row) => ({
    id: place * 100 + row,
    name: `Site ${row + 1}`,
    value: (place * 31 + row * 17) % 1_000,
  }))
  switch (format) {
    case 'CSV':
      return `id,name,value\r\n${rows.map(({ id, name, value }) => `${id},"${name}, ${title}",${value}\r\n`).join('')}`
    case 'JSON':
      return JSON.stringify(rows)
    case 'GEOJSON':
      return JSON.stringify({
        type: 'FeatureCollection',
        features: rows.map((properties) => ({ type: 'Feature', geometry: null, properties })),
      })
    case 'XML':
      return `<?xml version="1.0"?><sites>${rows.map(({ id, value }) => `<site id="${id}">${value}</site>`).join('')}</sites>`
    default:
      return `%PDF-1.4 ${title}`
  }
}
