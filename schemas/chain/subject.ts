import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const chain = subject({ name: 'chain', kind: 'technical', buildsOn: ['events'], entities: () => import('./entities.ts'), settings })
