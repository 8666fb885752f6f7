/** The title of the processes that fill templates, as `ps` shows it. At most 15 bytes: the system cuts longer ones. */
export const renderProcessTitle = 'docmill-docx';
