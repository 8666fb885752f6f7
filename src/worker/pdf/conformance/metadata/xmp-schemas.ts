const xap = 'http://ns.adobe.com/xap/1.0/';

/**
 * The schemas that PDF/A-2 and PDF/A-3 predefine (ISO 19005-2, 6.6.2.3.1): properties with their types by namespace, as
 * in the XMP specification of September 2005. Types are written as `hasType` reads them.
 */
export const predefinedSchemas: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({
    'http://purl.org/dc/elements/1.1/':
      'contributor:Bag|ProperName coverage:Text creator:Seq|ProperName date:Seq|Date description:Alt|Lang format:MIMEType identifier:Text language:Bag|Locale publisher:Bag|ProperName relation:Bag|Text rights:Alt|Lang source:Text subject:Bag|Text title:Alt|Lang type:Bag|Text',
    [xap]:
      'Advisory:Bag|XPath BaseURL:URL CreateDate:Date CreatorTool:AgentName Identifier:Bag|Text Label:Text MetadataDate:Date ModifyDate:Date Nickname:Text Rating:Integer Thumbnails:Alt|Thumbnail',
    [`${xap}rights/`]: 'Certificate:URL Marked:Boolean Owner:Bag|ProperName UsageTerms:Alt|Lang WebStatement:URL',
    [`${xap}mm/`]:
      'DerivedFrom:ResourceRef DocumentID:URI History:Seq|ResourceEvent Ingredients:Bag|ResourceRef InstanceID:URI ManagedFrom:ResourceRef Manager:AgentName ManageTo:URI ManageUI:URI ManagerVariant:Text OriginalDocumentID:URI RenditionClass:RenditionClass RenditionParams:Text VersionID:Text Versions:Seq|Version LastURL:URL RenditionOf:ResourceRef SaveID:Integer',
    [`${xap}bj/`]: 'JobRef:Bag|Job',
    [`${xap}t/pg/`]:
      'MaxPageSize:Dimensions NPages:Integer Fonts:Bag|Font Colorants:Seq|Colorant PlateNames:Seq|Text HasVisibleOverprint:Boolean HasVisibleTransparency:Boolean',
    'http://ns.adobe.com/xmp/1.0/DynamicMedia/':
      'projectRef:ProjectLink videoFrameRate:Text videoFrameSize:Dimensions videoPixelAspectRatio:Rational videoPixelDepth:=8Int,16Int,32Int,32Float videoColorSpace:=sRGB,CCIR-601,CCIR-709 videoAlphaMode:=straight,pre-multiplied videoAlphaPremultipleColor:Colorant videoAlphaUnityIsTransparent:Boolean videoCompressor:Text videoFieldOrder:=Upper,Lower,Progressive pullDown:=WSSWW,SSWWW,SWWWS,WWWSS,WWSSW,WSSWW_24p,SSWWW_24p,SWWWS_24p,WWWSS_24p,WWSSW_24p audioSampleRate:Integer audioSampleType:=8Int,16Int,32Int,32Float audioChannelType:=Mono,Stereo,5.1,7.1 audioCompressor:Text speakerPlacement:Text fileDataRate:Rational tapeName:Text altTapeName:Text startTimecode:Timecode altTimecode:Timecode duration:Time scene:Text shotName:Text shotDate:Date shotLocation:Text logComment:Text markers:Seq|Marker contributedMedia:Bag|Media absPeakAudioFilePath:URI relativePeakAudioFilePath:URI videoModDate:Date audioModDate:Date metadataModDate:Date artist:Text album:Text trackNumber:Integer genre:Text copyright:Text releaseDate:Date composer:Text engineer:Text tempo:Real instrument:Text introTime:Time outCue:Time relativeTimestamp:Time loop:Boolean numberOfBeats:Real key:=C,C#,D,D#,E,F,F#,G,G#,A,A#,B stretchMode:Text timeScaleParams:timeScaleStretch resampleParams:resampleStretch beatSpliceParams:beatSpliceStretch timeSignature:=2/4,3/4,4/4,5/4,7/4,6/8,9/8,12/8,other scaleType:=Major,Minor,Both,Neither',
    'http://ns.adobe.com/pdf/1.3/': 'Keywords:Text PDFVersion:Text Producer:AgentName Trapped:Boolean',
    'http://ns.adobe.com/photoshop/1.0/':
      'AuthorsPosition:Text CaptionWriter:ProperName Category:Text City:Text Country:Text Credit:Text DateCreated:Date Headline:Text Instructions:Text Source:Text State:Text SupplementalCategories:Bag|Text TransmissionReference:Text Urgency:Integer',
    'http://ns.adobe.com/camera-raw-settings/1.0/':
      'AutoBrightness:Boolean AutoContrast:Boolean AutoExposure:Boolean AutoShadows:Boolean BlueHue:Integer BlueSaturation:Integer Brightness:Integer CameraProfile:Text ChromaticAberrationB:Integer ChromaticAberrationR:Integer ColorNoiseReduction:Integer Contrast:Integer CropTop:Real CropLeft:Real CropBottom:Real CropRight:Real CropAngle:Real CropWidth:Real CropHeight:Real CropUnits:=0,1,2 Exposure:Real GreenHue:Integer GreenSaturation:Integer HasCrop:Boolean HasSettings:Boolean LuminanceSmoothing:Integer RawFileName:Text RedHue:Integer RedSaturation:Integer Saturation:Integer Shadows:Integer ShadowTint:Integer Sharpness:Integer Temperature:Integer Tint:Integer ToneCurve:Seq|Text ToneCurveName:Text Version:Text VignetteAmount:Integer VignetteMidpoint:Integer WhiteBalance:Text',
    'http://ns.adobe.com/tiff/1.0/':
      'ImageWidth:Integer ImageLength:Integer BitsPerSample:Seq|Integer Compression:=1,6 PhotometricInterpretation:=2,6 Orientation:=1,2,3,4,5,6,7,8 SamplesPerPixel:Integer PlanarConfiguration:=1,2 YCbCrSubSampling:Seq|Integer YCbCrPositioning:=1,2 XResolution:Rational YResolution:Rational ResolutionUnit:=2,3 TransferFunction:Seq|Integer WhitePoint:Seq|Rational PrimaryChromaticities:Seq|Rational YCbCrCoefficients:Seq|Rational ReferenceBlackWhite:Seq|Rational DateTime:Date ImageDescription:Alt|Lang Make:ProperName Model:ProperName Software:AgentName Artist:ProperName Copyright:Alt|Lang',
    'http://ns.adobe.com/exif/1.0/':
      'ExifVersion:Text FlashpixVersion:Text ColorSpace:=1,-32768,65535 ComponentsConfiguration:Seq|Integer CompressedBitsPerPixel:Rational PixelXDimension:Integer PixelYDimension:Integer UserComment:Alt|Lang RelatedSoundFile:Text DateTimeOriginal:Date DateTimeDigitized:Date ExposureTime:Rational FNumber:Rational ExposureProgram:=0,1,2,3,4,5,6,7,8 SpectralSensitivity:Text ISOSpeedRatings:Seq|Integer OECF:OECF ShutterSpeedValue:Rational ApertureValue:Rational BrightnessValue:Rational ExposureBiasValue:Rational MaxApertureValue:Rational SubjectDistance:Rational MeteringMode:=0,1,2,3,4,5,6,255 LightSource:Integer Flash:Flash FocalLength:Rational SubjectArea:Seq|Integer FlashEnergy:Rational SpatialFrequencyResponse:OECF FocalPlaneXResolution:Rational FocalPlaneYResolution:Rational FocalPlaneResolutionUnit:=2,3 SubjectLocation:Seq|Integer ExposureIndex:Rational SensingMethod:=1,2,3,4,5,7,8 FileSource:=3 SceneType:=1 CFAPattern:CFAPattern CustomRendered:=0,1 ExposureMode:=0,1,2 WhiteBalance:=0,1 DigitalZoomRatio:Rational FocalLengthIn35mmFilm:Integer SceneCaptureType:=0,1,2,3 GainControl:=0,1,2,3,4 Contrast:=0,1,2 Saturation:=0,1,2 Sharpness:=0,1,2 DeviceSettingDescription:DeviceSettings SubjectDistanceRange:=0,1,2,3 ImageUniqueID:Text GPSVersionID:Text GPSLatitude:GPSCoordinate GPSLongitude:GPSCoordinate GPSAltitudeRef:=0,1 GPSAltitude:Rational GPSTimeStamp:Date GPSSatellites:Text GPSStatus:=A,V GPSMeasureMode:=2,3 GPSDOP:Rational GPSSpeedRef:=K,M,N GPSSpeed:Rational GPSTrackRef:=T,M GPSTrack:Rational GPSImgDirectionRef:=T,M GPSImgDirection:Rational GPSMapDatum:Text GPSDestLatitude:GPSCoordinate GPSDestLongitude:GPSCoordinate GPSDestBearingRef:=T,M GPSDestBearing:Rational GPSDestDistanceRef:=K,M,N GPSDestDistance:Rational GPSProcessingMethod:Text GPSAreaInformation:Text GPSDifferential:=0,1',
    'http://ns.adobe.com/exif/1.0/aux/': 'Lens:Text SerialNumber:Text',
    'http://www.aiim.org/pdfa/ns/id/': 'part:Integer amd:Text corr:Text conformance:Text rev:Integer',
  }).map(([namespace, properties]) => [
    namespace,
    new Map(
      properties.split(' ').map((text) => {
        const colon = text.indexOf(':');
        return [text.slice(0, colon), text.slice(colon + 1)] as const;
      }),
    ),
  ]),
);
