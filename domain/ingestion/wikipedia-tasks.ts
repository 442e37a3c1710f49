import type { WikipediaItem, WikipediaTask } from '../../schemas/ingestion/wikipedia.ts'

/** Maintenance templates of the edition, without prefix, by the task that they ask for. Templates that redirect to another have rows of their own. */
export const MAINTENANCE_TEMPLATES: Readonly<Record<WikipediaTask, readonly string[]>> = {
  citation_repair: [
    'Citation needed',
    'Cn',
    'Fact',
    'Dead link',
    'Unreferenced',
    'Unreferenced section',
    'More citations needed',
    'Refimprove',
    'One source',
    'Primary sources',
    'BLP sources',
    'No footnotes',
    'More footnotes needed',
    'Cleanup bare URLs',
    'Bare URL inline',
    'Better source needed',
    'Unreliable source?',
    'Failed verification',
    'Verify source',
    'Full citation needed',
    'Page needed',
    'Clarify source',
  ],
  freshness_check: ['Update', 'Update inline', 'Update section', 'Update after', 'Outdated', 'Outdated as of', 'As of?', 'Out of date'],
  infobox_consistency: ['Cleanup infobox', 'Infobox requested', 'Contradict', 'Contradict inline', 'Contradicts other', 'Inconsistent'],
}

const TASKS = Object.keys(MAINTENANCE_TEMPLATES) as WikipediaTask[]
const TASK_OF_TEMPLATE: ReadonlyMap<string, WikipediaTask> = new Map(
  TASKS.flatMap((task) => MAINTENANCE_TEMPLATES[task].map((name): [string, WikipediaTask] => [name, task])),
)

/** Words of a category's name by the task that its pages need, where no template tells it. */
const CATEGORY_WORDS: readonly (readonly [RegExp, WikipediaTask])[] = [
  [/infobox|contradict/i, 'infobox_consistency'],
  [/updat|outdated|obsolete/i, 'freshness_check'],
]

/** A known maintenance template, as `MAINTENANCE_TEMPLATES` spells it; null for any other title of a template. */
export function knownTemplate(title: string): string | null {
  // The prefix is the edition's word for template.
  const name = title
    .slice(title.indexOf(':') + 1)
    .replaceAll('_', ' ')
    .trim()
  const spelling = name.charAt(0).toUpperCase() + name.slice(1)
  return TASK_OF_TEMPLATE.has(spelling) ? spelling : null
}

/** The one task of a page: that of most of its templates, the earlier of `WIKIPEDIA_TASKS` among equals, else that of its category. */
export function taskOf({ templates, category }: Pick<WikipediaItem, 'templates' | 'category'>): WikipediaTask {
  const counts = TASKS.map((task) => templates.filter((name) => TASK_OF_TEMPLATE.get(name) === task).length)
  const most = Math.max(...counts)
  const byTemplates = most === 0 ? undefined : TASKS[counts.indexOf(most)]
  return byTemplates ?? CATEGORY_WORDS.find(([words]) => words.test(category))?.[1] ?? 'citation_repair'
}
