"""What `shadowtime train` does without the menu: sheets, lists, exams and their tables, drills in lines."""
