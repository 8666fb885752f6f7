export const templateTexts = {
  title: 'Templates',
  emptyTitle: 'No templates yet',
  emptyText: 'Upload a Word document with tags such as {customer.name}. Docmill fills them with your data.',
};
