import { errorTable, get, notFound, post } from '../common/error-row.ts'

const TEMPLATES = get('/admin/jobs', 'List jobs with GET /admin/jobs; a template has `recurring: true`.')

/** Pauses of lanes, and recurring templates. */
export const LANE_ERRORS = errorTable({
  lane_paused: {
    meaning: 'An operator has paused this lane.',
    retry: 'Repeat when an operator has resumed the lane.',
    next: get('/admin/lanes', 'Read who paused the lane and why.'),
  },
  recurring_template_not_found: notFound({ meaning: 'No recurring template has this id.', next: TEMPLATES }),
  recurring_reserve_exhausted: {
    title: 'Reserve used up',
    meaning: 'The reserve or the number of runs of this template is used up.',
    next: post('/admin/jobs', 'List a new template with another reserve.'),
  },
  recurring_job_collision: {
    title: 'Run exists',
    meaning: 'This template has a job of this time already.',
    next: [
      get('/admin/jobs/timeline?jobId={jobId}', 'Read the job of this time.'),
      post('/admin/jobs/fire', 'Fire the template with another firedAt.'),
    ],
  },
  recurring_template_closed: {
    title: 'Template closed',
    meaning: 'The template is paused, archived or outside its time, so it lists no job.',
    next: post('/admin/jobs/resume', 'Resume the template, or list a new one.'),
  },
})
