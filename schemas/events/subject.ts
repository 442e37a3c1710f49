import { subject } from '../subject.ts'

export const events = subject({ name: 'events', kind: 'technical', buildsOn: ['database'], entities: () => import('./entities.ts') })
