import { formatNumber } from '../ui/format.ts';

export const reviewTexts = {
  title: (version: number) => `Review of version ${formatNumber(version)}`,
  states: { draft: 'Draft', review: 'In review', approved: 'Approved', refused: 'Refused' },
  live: 'Live',
  notLive: 'Not live',
  overridden: 'Live without approval',
  waiting: {
    draft: (version: number) => `Version ${formatNumber(version)} is a draft. Only previews and test keys use it.`,
    review: (version: number) =>
      `Version ${formatNumber(version)} is in review. It is live once another person approves it.`,
  },
  noneLive: 'No version of this template is live yet: only previews and test keys can use it.',
  open: 'Open the review',
  review: 'Review',
  reviewNamed: (version: number) => `Review version ${version}`,
  uploaded: 'Uploaded',
  own: 'You uploaded this version, so another person must decide.',
  unnamed: (keyId: string) => `Key ${keyId}`,
  by: (who: string, when: string) => `${who}, ${when}`,
  log: 'What happened',
  actions: {
    submitted: 'Submitted',
    commented: 'Comment',
    approved: 'Approved',
    refused: 'Refused',
    overridden: 'Made live without approval',
  },
  comment: 'Comment',
  reason: 'Reason',
  steps: {
    submit: 'Submit for review',
    comment: 'Comment',
    approve: 'Approve',
    refuse: 'Refuse',
    override: 'Publish without approval',
  },
  about: {
    submit: 'The approvers see the comment with the comparison.',
    comment: 'The state of the version stays.',
    approve: 'The version becomes the live one. Documents are made with it from now on.',
    refuse: 'The version is refused for good, and the live one stays. Say what is wrong.',
    override:
      'For emergencies. The version becomes the live one although nobody has approved it. Your reason is shown here and in the receipts of its documents, and the operator sees it in the audit log.',
  },
  done: {
    submit: (version: number) => `Version ${formatNumber(version)} was submitted.`,
    comment: () => 'The comment was added.',
    approve: (version: number) => `Version ${formatNumber(version)} is approved and live.`,
    refuse: (version: number) => `Version ${formatNumber(version)} was refused.`,
    override: (version: number) => `Version ${formatNumber(version)} is live without approval.`,
  },
};
