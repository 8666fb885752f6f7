import { Link } from 'wouter-preact';
import { galleryTexts } from '../../texts/gallery.ts';
import { templateTexts } from '../../texts/templates.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import Gallery from './gallery.tsx';

export default function GalleryPage() {
  return (
    <>
      <PageHeader
        title={galleryTexts.title}
        parent={<Link href="/templates">{templateTexts.parent}</Link>}
        about={galleryTexts.about}
      />
      <h2 class="visually-hidden">{galleryTexts.templates}</h2>
      <Gallery />
    </>
  );
}
